// Preloaded into the processes of a chaos run. A small file that the fault injector writes to, mapped by each process, says by
// how much its clock is off and how many of its next syncs to disk fail.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct control {
  int64_t clock_ms;
  int32_t failing_syncs;
};

static struct control *control;

__attribute__((constructor)) static void attach(void) {
  const char *path = getenv("CHAOS_CONTROL");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *map = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (map != MAP_FAILED) control = map;
  close(file);
}

static int64_t offset_ms(void) { return control ? control->clock_ms : 0; }

int clock_gettime(clockid_t id, struct timespec *at) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(id, at);
  if (result == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE) && offset_ms() != 0) {
    int64_t ns = at->tv_nsec + (offset_ms() % 1000) * 1000000;
    at->tv_sec += offset_ms() / 1000 + (ns >= 1000000000) - (ns < 0);
    at->tv_nsec = (ns + 1000000000) % 1000000000;
  }
  return result;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  (void)zone;
  struct timespec now;
  int result = clock_gettime(CLOCK_REALTIME, &now);
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return result;
}

time_t time(time_t *at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at) *at = now.tv_sec;
  return now.tv_sec;
}

static int fails(void) {
  if (!control || control->failing_syncs <= 0) return 0;
  __atomic_fetch_sub(&control->failing_syncs, 1, __ATOMIC_SEQ_CST);
  errno = EIO;
  return 1;
}

int fsync(int file) {
  static int (*real)(int);
  if (!real) real = dlsym(RTLD_NEXT, "fsync");
  return fails() ? -1 : real(file);
}

int fdatasync(int file) {
  static int (*real)(int);
  if (!real) real = dlsym(RTLD_NEXT, "fdatasync");
  return fails() ? -1 : real(file);
}
