/* <ctype.h> of the C locale. */

#include "device.h"

int DEVICE(isdigit)(int c) { return c >= '0' && c <= '9'; }
int DEVICE(isupper)(int c) { return c >= 'A' && c <= 'Z'; }
int DEVICE(islower)(int c) { return c >= 'a' && c <= 'z'; }
int DEVICE(isalpha)(int c) { return DEVICE(isupper)(c) || DEVICE(islower)(c); }
int DEVICE(isalnum)(int c) { return DEVICE(isalpha)(c) || DEVICE(isdigit)(c); }
int DEVICE(isxdigit)(int c) { return DEVICE(isdigit)(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'); }
int DEVICE(isblank)(int c) { return c == ' ' || c == '\t'; }
int DEVICE(isspace)(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int DEVICE(iscntrl)(int c) { return (c >= 0 && c < ' ') || c == 0x7f; }
int DEVICE(isprint)(int c) { return c >= ' ' && c < 0x7f; }
int DEVICE(isgraph)(int c) { return c > ' ' && c < 0x7f; }
int DEVICE(ispunct)(int c) { return DEVICE(isgraph)(c) && !DEVICE(isalnum)(c); }
int DEVICE(tolower)(int c) { return DEVICE(isupper)(c) ? c + ('a' - 'A') : c; }
int DEVICE(toupper)(int c) { return DEVICE(islower)(c) ? c - ('a' - 'A') : c; }
