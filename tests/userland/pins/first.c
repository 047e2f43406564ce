/* What a machine does first, instead of Debian's initrd, which looks for hardware that is not there: it loads the
 * modules beside it in the order of their names, takes its disk for its root, and gives the ports that the room
 * asks through the names that udev would give them. Then systemd has it.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PORTS 2
#define CLASS "/sys/class/virtio-ports"

static void end(const char *what)
{
	perror(what);
	_exit(1); /* The kernel panics: qemu's console has why. */
}

static void load(const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);

	if (file < 0 || syscall(SYS_finit_module, file, "", 0))
		end(path);
	close(file);
}

static int no_dots(const struct dirent *each)
{
	return each->d_name[0] != '.';
}

/* The links that udev makes of ports that have told their names; how many. */
static int named(void)
{
	struct dirent **ports;
	int count = scandir(CLASS, &ports, no_dots, alphasort), found = 0;

	for (int each = 0; each < count; each++) {
		char path[300], name[64] = "", link[128];
		snprintf(path, sizeof path, CLASS "/%s/name", ports[each]->d_name);
		FILE *file = fopen(path, "r");
		if (file && fscanf(file, "%63s", name) == 1) {
			snprintf(path, sizeof path, "../%s", ports[each]->d_name);
			snprintf(link, sizeof link, "/dev/virtio-ports/%s", name);
			symlink(path, link);
			found++;
		}
		if (file)
			fclose(file);
	}
	return found;
}

int main(int count, char **words)
{
	struct dirent **modules;
	int loaded;

	(void)count;
	mkdir("/dev", 0755);
	mkdir("/sys", 0755);
	mkdir("/root", 0755);
	if (mount("dev", "/dev", "devtmpfs", 0, "mode=755") || mount("sys", "/sys", "sysfs", 0, NULL))
		end("mount");
	dup2(open("/dev/console", O_RDWR), STDERR_FILENO);
	if (chdir("/modules") || (loaded = scandir(".", &modules, no_dots, alphasort)) < 0)
		end("modules");
	for (int each = 0; each < loaded; each++)
		load(modules[each]->d_name);
	while (mount("/dev/vda", "/root", "ext4", 0, NULL))
		usleep(10000);
	mkdir("/dev/virtio-ports", 0755);
	while (named() < PORTS)
		usleep(10000);
	if (umount("/sys") || mount("/dev", "/root/dev", NULL, MS_MOVE, NULL) || chdir("/root") ||
	    mount(".", "/", NULL, MS_MOVE, NULL) || chroot(".") || chdir("/"))
		end("root");
	execv("/sbin/init", words);
	end("init");
}
