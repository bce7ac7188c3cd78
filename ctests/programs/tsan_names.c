/* Names that code compiled by LLVM calls under ThreadSanitizer and GCC's run-time library lacks. That
 * library watches the plain functions, so these only lead there. Not compiled with the sanitizer. */
#include <string.h>

void *__tsan_memcpy(void *to, const void *from, size_t bytes) { return memcpy(to, from, bytes); }
void *__tsan_memmove(void *to, const void *from, size_t bytes) { return memmove(to, from, bytes); }
void *__tsan_memset(void *to, int value, size_t bytes) { return memset(to, value, bytes); }
