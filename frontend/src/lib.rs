//! C front end of accrue: preprocessor, parser, OpenACC and OpenMP directives, semantic checks, lowering to IR.
