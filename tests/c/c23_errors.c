// options: -std=c23
// expect-error: redefinition at 17
// expect-error: redefinition at 19
// expect-error: redefinition at 21
// expect-error: enumerator-overflow at 22
// expect-error: invalid-declarator at 23
// expect-error: invalid-storage-class at 24
// expect-error: invalid-storage-class at 25
// expect-error: initializer-not-constant at 27
// expect-error: argument-count at 29
// expect-error: invalid-declarator at 30
// expect-error: read-only at 32
// expect-error: vla-initializer at 34
struct s {
    int a;
};
struct s { int b; };
enum e { A, B };
enum e { A, B, C };
enum f { P = 1 };
enum f { P = 2 };
enum g : unsigned char { BIG = 256 };
enum h : float { H };
constexpr int without;
constexpr volatile int changing = 3;
int variable;
constexpr int computed = variable;
int none();
int calls(void) { return none(1, 2); }
auto nothing;
constexpr int fixed = 3;
void writes(int n) { *&n = 2, fixed = 3; }
void clears(int n) {
    int a[n] = {1};
}
