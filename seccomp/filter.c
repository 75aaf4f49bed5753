/* Writes the seccomp filter of jails for one architecture to standard output: `filter x86_64` or `filter aarch64`; with the
 * word `cell` after it that of cells, which start no process.
 * It is a denylist: what it names fails with EPERM, clone3 and calls of other architectures with ENOSYS. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define WHOLE 0xffffffffull
#define LENGTH(list) (sizeof(list) / sizeof(list[0]))

static scmp_filter_ctx filter;

static const char *const denied[] = {
    /* Mounts. */
    "mount", "umount", "umount2", "mount_setattr", "move_mount", "open_tree", "fsopen", "fsconfig", "fsmount", "fspick",
    "pivot_root", "chroot", "swapon", "swapoff", "quotactl", "quotactl_fd", "fanotify_init", "open_by_handle_at",
    /* Other processes. */
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp", "setns",
    /* Parts of the kernel that are large, and seldom needed. */
    "bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register", "keyctl", "add_key",
    "request_key", "lookup_dcookie", "modify_ldt", "vm86", "vm86old", "uselib", "_sysctl", "sysfs", "ustat", "nfsservctl",
    /* The machine. */
    "init_module", "finit_module", "delete_module", "create_module", "get_kernel_syms", "query_module", "kexec_load",
    "kexec_file_load", "reboot", "syslog", "acct", "vhangup", "iopl", "ioperm", "settimeofday", "clock_settime", "stime",
};

/* clone has the first seven; 0x80 is a signal there. */
static const uint64_t namespaces[] = {CLONE_NEWNS,  CLONE_NEWUSER, CLONE_NEWPID,     CLONE_NEWNET,
                                      CLONE_NEWIPC, CLONE_NEWUTS,  CLONE_NEWCGROUP, 0x80 /* CLONE_NEWTIME */};

static void check(int result, const char *what) {
    if (result >= 0) return;
    fprintf(stderr, "%s: error %d\n", what, -result);
    exit(1);
}

static int number(const char *name) {
    int found = seccomp_syscall_resolve_name(name);
    if (found == __NR_SCMP_ERROR) check(-ENOSYS, name);
    return found;
}

static void deny(const char *name, int error, unsigned count, const struct scmp_arg_cmp *conditions) {
    check(seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(error), number(name), count, conditions), name);
}

/* The kernel reads 32 bits of these arguments: what stands above them must not hide a value. */
static struct scmp_arg_cmp is(unsigned argument, uint64_t value) {
    return SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, WHOLE, value);
}

static struct scmp_arg_cmp has(unsigned argument, uint64_t bits) {
    return SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, bits, bits);
}

static void deny_if(const char *name, struct scmp_arg_cmp condition) { deny(name, EPERM, 1, &condition); }

static void deny_namespaces(void) {
    for (unsigned i = 0; i < LENGTH(namespaces); i++) {
        deny_if("unshare", has(0, namespaces[i]));
        if (namespaces[i] != 0x80) deny_if("clone", has(0, namespaces[i]));
    }
    deny("clone3", ENOSYS, 0, NULL); /* Its flags are in memory; libc falls back to clone. */
}

/* AF_UNIX, AF_INET, AF_INET6 and the interfaces of AF_NETLINK are left. */
static void deny_sockets(void) {
    for (uint64_t family = 0; family < 64; family++)
        if (family != AF_UNIX && family != AF_INET && family != AF_INET6 && family != AF_NETLINK)
            deny_if("socket", is(0, family));
    for (unsigned bit = 6; bit < 32; bit++) deny_if("socket", has(0, 1ull << bit));
    for (uint64_t protocol = 1; protocol < 32; protocol++) {
        struct scmp_arg_cmp other[] = {is(0, AF_NETLINK), is(2, protocol)};
        deny("socket", EPERM, 2, other);
    }
    const uint64_t families[] = {AF_INET, AF_INET6};
    const uint64_t types[] = {SOCK_RAW, 10 /* SOCK_PACKET */};
    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = 0; k < 2; k++) {
            struct scmp_arg_cmp raw[] = {is(0, families[i]), SCMP_A1_64(SCMP_CMP_MASKED_EQ, 0xf, types[k])};
            deny("socket", EPERM, 2, raw);
        }
}

/* Threads are left. */
static void deny_processes(void) {
    deny("fork", EPERM, 0, NULL);
    deny("vfork", EPERM, 0, NULL);
    deny_if("clone", SCMP_A0_64(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
}

int main(int count, char **arguments) {
    filter = seccomp_init(SCMP_ACT_ALLOW);
    if (filter == NULL || count < 2) return 1;
    uint32_t wanted = seccomp_arch_resolve_name(arguments[1]);
    check(seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS)), "bad architecture");
    if (wanted != seccomp_arch_native()) {
        check(seccomp_arch_add(filter, wanted), "architecture");
        check(seccomp_arch_remove(filter, seccomp_arch_native()), "native architecture");
    }
    for (unsigned i = 0; i < LENGTH(denied); i++) deny(denied[i], EPERM, 0, NULL);
    deny_namespaces();
    deny_sockets();
    if (count > 2) deny_processes();
    deny_if("ioctl", is(1, 0x5412)); /* TIOCSTI: input for another terminal. */
    deny_if("ioctl", is(1, 0x541c)); /* TIOCLINUX: the same, of a console. */
    check(seccomp_export_bpf(filter, STDOUT_FILENO), "export");
    return 0;
}
