// SPDX-License-Identifier: GPL-2.0
/*
 * The header of a Raspberry Pi in a machine that has none: a chip of GPIO lines, wired to a matrix of switches,
 * and an SPI bus with nothing but lamps on it. Tests close the switches. For the tests of Boardumpire alone.
 *
 * A kernel module has to be under the GPL; this one and its Kbuild are, by version 2. Nothing of it goes into
 * what is installed.
 *
 * Contacts are numbered row by row, then the buttons, which join a line to ground. In /sys/devices/platform/pi-header:
 *   closed   those that are closed, as a list: 0,3,12-14
 *   scans    how many there were since something was written here, then the mean, least and most nanoseconds from
 *            the first row's rise to the last one's fall, and from one scan to the next
 *   fights   how often one line was driven low and another one high that contacts join to it
 *   frame    the bytes that SPI sent last
 */
#include <linux/bitmap.h>
#include <linux/gpio/driver.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/pinctrl/pinconf-generic.h>
#include <linux/platform_device.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/spi/spi.h>

#define NAME "pi-header"
#define WIRES 32
#define LINES 64
#define CONTACTS (WIRES * WIRES)
#define FRAME 4096

static char *label = "pinctrl-bcm2711", *model = "", *compatible = "";
static uint lines = 58, revision, rows[WIRES], columns[WIRES], buttons[WIRES];
static int n_rows, n_columns, n_buttons;
static bool diodes = true, spi;
module_param(label, charp, 0444);
MODULE_PARM_DESC(label, "what the chip is called");
module_param(lines, uint, 0444);
module_param(model, charp, 0444);
MODULE_PARM_DESC(model, "what /proc/device-tree is to say, where there is none; with compatible and revision");
module_param(compatible, charp, 0444);
module_param(revision, uint, 0444);
module_param_array(rows, uint, &n_rows, 0444);
module_param_array(columns, uint, &n_columns, 0444);
module_param_array(buttons, uint, &n_buttons, 0444);
module_param(diodes, bool, 0444);
MODULE_PARM_DESC(diodes, "current goes from rows to columns alone");
module_param(spi, bool, 0444);
MODULE_PARM_DESC(spi, "SPI bus 0 with its first device");

struct span {
	u64 count, sum, least, most;
};

static struct header {
	struct gpio_chip chip;
	spinlock_t lock;
	DECLARE_BITMAP(out, LINES);
	DECLARE_BITMAP(high, LINES);
	DECLARE_BITMAP(up, LINES);
	DECLARE_BITMAP(down, LINES);
	DECLARE_BITMAP(closed, CONTACTS);
	u64 fights, began;
	struct span scan, period;
	u8 frame[FRAME];
	size_t sent;
} header;

static bool joined(int row, int column)
{
	return test_bit(row * n_columns + column, header.closed);
}

/* What a line that contacts join to the one that is read does to it. */
struct pull {
	bool high, low, up, down;
};

static void feel(struct pull *felt, uint line, bool both_ways)
{
	if (test_bit(line, header.out)) {
		if (test_bit(line, header.high))
			felt->high = true;
		else if (both_ways)
			felt->low = true;
	} else if (test_bit(line, header.up)) {
		felt->up = true;
	} else if (test_bit(line, header.down) && both_ways) {
		felt->down = true;
	}
}

/* Everything that contacts join to a line; with diodes current comes from rows alone. */
static struct pull felt_by(uint line)
{
	struct pull felt = {};
	DECLARE_BITMAP(on_rows, WIRES) = {};
	DECLARE_BITMAP(on_columns, WIRES) = {};
	bool more = true;
	int r, c;

	feel(&felt, line, true);
	for (r = 0; r < n_buttons; r++)
		if (buttons[r] == line && test_bit(n_rows * n_columns + r, header.closed))
			felt.low = true;
	for (r = 0; r < n_rows; r++)
		if (rows[r] == line)
			__set_bit(r, on_rows);
	for (c = 0; c < n_columns; c++)
		if (columns[c] == line)
			__set_bit(c, on_columns);
	while (more) {
		more = false;
		for (r = 0; r < n_rows; r++)
			for (c = 0; c < n_columns; c++) {
				if (!joined(r, c))
					continue;
				if (test_bit(c, on_columns) && !__test_and_set_bit(r, on_rows))
					more = true;
				if (!diodes && test_bit(r, on_rows) && !__test_and_set_bit(c, on_columns))
					more = true;
			}
	}
	for_each_set_bit(r, on_rows, n_rows)
		feel(&felt, rows[r], !diodes || rows[r] == line);
	for_each_set_bit(c, on_columns, n_columns)
		feel(&felt, columns[c], !diodes || columns[c] == line);
	return felt;
}

static void note(struct span *span, u64 took)
{
	span->least = span->count ? min(span->least, took) : took;
	span->most = max(span->most, took);
	span->sum += took;
	span->count++;
}

/* A line begins or ceases to be driven high; held by the lock. */
static void drive(uint line, bool out, bool high)
{
	bool was = test_bit(line, header.out) && test_bit(line, header.high), is = out && high;
	struct pull felt;
	u64 now;

	__assign_bit(line, header.out, out);
	__assign_bit(line, header.high, high);
	if (out) {
		felt = felt_by(line);
		header.fights += felt.high && felt.low;
	}
	if (!n_rows || was == is)
		return;
	now = ktime_get_ns();
	if (line == rows[0] && is) {
		if (header.began)
			note(&header.period, now - header.began);
		header.began = now;
	} else if (line == rows[n_rows - 1] && !is && header.began) {
		note(&header.scan, now - header.began);
	}
}

static int header_get_direction(struct gpio_chip *chip, unsigned int line)
{
	return test_bit(line, header.out) ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

static void header_drive(uint line, bool out, bool high)
{
	unsigned long flags;

	spin_lock_irqsave(&header.lock, flags);
	drive(line, out, high);
	spin_unlock_irqrestore(&header.lock, flags);
}

static int header_direction_input(struct gpio_chip *chip, unsigned int line)
{
	header_drive(line, false, false);
	return 0;
}

static int header_direction_output(struct gpio_chip *chip, unsigned int line, int value)
{
	header_drive(line, true, value);
	return 0;
}

/* As on a Pi: a line that nobody holds any more is an input, and keeps its pull. */
static void header_free(struct gpio_chip *chip, unsigned int line)
{
	header_drive(line, false, false);
}

static void header_set(struct gpio_chip *chip, unsigned int line, int value)
{
	header_drive(line, test_bit(line, header.out), value);
}

static int header_get(struct gpio_chip *chip, unsigned int line)
{
	unsigned long flags;
	struct pull felt;

	spin_lock_irqsave(&header.lock, flags);
	felt = felt_by(line);
	spin_unlock_irqrestore(&header.lock, flags);
	if (felt.high || felt.low)
		return !felt.low;
	/* An input that nothing pulls is an antenna: whoever forgets the pull shall see it. */
	return felt.up || !felt.down;
}

static int header_set_config(struct gpio_chip *chip, unsigned int line, unsigned long config)
{
	enum pin_config_param wanted = pinconf_to_config_param(config);

	if (wanted != PIN_CONFIG_BIAS_DISABLE && wanted != PIN_CONFIG_BIAS_PULL_UP &&
	    wanted != PIN_CONFIG_BIAS_PULL_DOWN)
		return -ENOTSUPP;
	assign_bit(line, header.up, wanted == PIN_CONFIG_BIAS_PULL_UP);
	assign_bit(line, header.down, wanted == PIN_CONFIG_BIAS_PULL_DOWN);
	return 0;
}

/* What tests see and do. */

static ssize_t closed_show(struct device *dev, struct device_attribute *attr, char *text)
{
	return bitmap_print_to_pagebuf(true, text, header.closed, CONTACTS);
}

static ssize_t closed_store(struct device *dev, struct device_attribute *attr, const char *text, size_t count)
{
	DECLARE_BITMAP(closed, CONTACTS);
	unsigned long flags;
	int wrong = bitmap_parselist(text, closed, CONTACTS);

	if (wrong)
		return wrong;
	spin_lock_irqsave(&header.lock, flags);
	bitmap_copy(header.closed, closed, CONTACTS);
	spin_unlock_irqrestore(&header.lock, flags);
	return count;
}
static DEVICE_ATTR_RW(closed);

static ssize_t scans_show(struct device *dev, struct device_attribute *attr, char *text)
{
	struct span scan, period;
	unsigned long flags;

	spin_lock_irqsave(&header.lock, flags);
	scan = header.scan;
	period = header.period;
	spin_unlock_irqrestore(&header.lock, flags);
	return sysfs_emit(text, "%llu %llu %llu %llu %llu %llu %llu\n", scan.count,
			  scan.count ? div64_u64(scan.sum, scan.count) : 0, scan.least, scan.most,
			  period.count ? div64_u64(period.sum, period.count) : 0, period.least, period.most);
}

static ssize_t scans_store(struct device *dev, struct device_attribute *attr, const char *text, size_t count)
{
	unsigned long flags;

	spin_lock_irqsave(&header.lock, flags);
	memset(&header.scan, 0, sizeof(header.scan));
	memset(&header.period, 0, sizeof(header.period));
	header.began = 0;
	spin_unlock_irqrestore(&header.lock, flags);
	return count;
}
static DEVICE_ATTR_RW(scans);

static ssize_t fights_show(struct device *dev, struct device_attribute *attr, char *text)
{
	return sysfs_emit(text, "%llu\n", header.fights);
}
static DEVICE_ATTR_RO(fights);

static ssize_t frame_read(struct file *file, struct kobject *of, struct bin_attribute *attr, char *into, loff_t at,
			  size_t count)
{
	unsigned long flags;
	ssize_t told;

	spin_lock_irqsave(&header.lock, flags);
	told = memory_read_from_buffer(into, count, &at, header.frame, header.sent);
	spin_unlock_irqrestore(&header.lock, flags);
	return told;
}
static BIN_ATTR_RO(frame, FRAME);

static struct attribute *header_attrs[] = { &dev_attr_closed.attr, &dev_attr_scans.attr, &dev_attr_fights.attr, NULL };
static struct bin_attribute *header_bin_attrs[] = { &bin_attr_frame, NULL };
static const struct attribute_group header_group = { .attrs = header_attrs, .bin_attrs = header_bin_attrs };
static const struct attribute_group *header_groups[] = { &header_group, NULL };

static int header_send(struct spi_controller *bus, struct spi_device *device, struct spi_transfer *transfer)
{
	unsigned long flags;

	spin_lock_irqsave(&header.lock, flags);
	if (transfer->tx_buf) {
		header.sent = min_t(size_t, transfer->len, FRAME);
		memcpy(header.frame, transfer->tx_buf, header.sent);
	}
	spin_unlock_irqrestore(&header.lock, flags);
	if (transfer->rx_buf)
		memset(transfer->rx_buf, 0, transfer->len);
	return 0;
}

static int add_spi(struct device *dev)
{
	/* Drivers are found by name; this is one of those that spidev answers to. */
	struct spi_board_info lamps = { .modalias = "dh2228fv", .max_speed_hz = 125000000 };
	struct spi_controller *bus = devm_spi_alloc_master(dev, 0);
	int wrong;

	if (!bus)
		return -ENOMEM;
	bus->bus_num = 0;
	bus->num_chipselect = 1;
	bus->mode_bits = SPI_CPOL | SPI_CPHA | SPI_NO_CS;
	bus->transfer_one = header_send;
	wrong = devm_spi_register_controller(dev, bus);
	if (!wrong && !spi_new_device(bus, &lamps))
		wrong = -ENODEV;
	return wrong;
}

static int header_probe(struct platform_device *device)
{
	struct gpio_chip *chip = &header.chip;
	int wrong;

	memset(&header, 0, sizeof(header));
	spin_lock_init(&header.lock);
	/* As a Pi has them after a reset: GPIO0 to GPIO8 are pulled up, the others down. */
	bitmap_set(header.up, 0, 9);
	bitmap_set(header.down, 9, LINES - 9);
	chip->label = label;
	chip->parent = &device->dev;
	chip->owner = THIS_MODULE;
	chip->base = -1;
	chip->ngpio = lines;
	chip->get_direction = header_get_direction;
	chip->direction_input = header_direction_input;
	chip->direction_output = header_direction_output;
	chip->free = header_free;
	chip->get = header_get;
	chip->set = header_set;
	chip->set_config = header_set_config;
	wrong = devm_gpiochip_add_data(&device->dev, chip, &header);
	return wrong || !spi ? wrong : add_spi(&device->dev);
}

static struct platform_driver header_driver = {
	.probe = header_probe,
	.driver = { .name = NAME, .dev_groups = header_groups },
};
static struct platform_device *header_device;
static struct proc_dir_entry *tree;

static int tell_model(struct seq_file *told, void *unused)
{
	return seq_write(told, model, strlen(model) + 1);
}

/* Names are parted by commas that no name has: a semicolon stands for a zero. */
static int tell_compatible(struct seq_file *told, void *unused)
{
	const char *each;

	for (each = compatible; *each; each++)
		seq_putc(told, *each == ';' ? '\0' : *each);
	seq_putc(told, '\0');
	return 0;
}

static int tell_revision(struct seq_file *told, void *unused)
{
	__be32 coded = cpu_to_be32(revision);

	return seq_write(told, &coded, sizeof(coded));
}

static int tell_the_model(void)
{
	struct proc_dir_entry *system;

	if (!*model)
		return 0;
	tree = proc_mkdir("device-tree", NULL);
	system = tree ? proc_mkdir("system", tree) : NULL;
	if (!system)
		return -ENOMEM;
	proc_create_single("model", 0444, tree, tell_model);
	proc_create_single("compatible", 0444, tree, tell_compatible);
	proc_create_single("linux,revision", 0444, system, tell_revision);
	return 0;
}

static bool fits(const uint *wires, int count)
{
	while (count--)
		if (wires[count] >= lines)
			return false;
	return true;
}

static int __init header_init(void)
{
	int wrong;

	if (lines > LINES || !fits(rows, n_rows) || !fits(columns, n_columns) || !fits(buttons, n_buttons))
		return -EINVAL;
	wrong = tell_the_model();
	if (!wrong)
		wrong = platform_driver_register(&header_driver);
	if (wrong)
		goto untold;
	header_device = platform_device_register_simple(NAME, PLATFORM_DEVID_NONE, NULL, 0);
	if (!IS_ERR(header_device))
		return 0;
	wrong = PTR_ERR(header_device);
	platform_driver_unregister(&header_driver);
untold:
	proc_remove(tree);
	return wrong;
}

static void __exit header_exit(void)
{
	platform_device_unregister(header_device);
	platform_driver_unregister(&header_driver);
	proc_remove(tree);
}

module_init(header_init);
module_exit(header_exit);
MODULE_DESCRIPTION("The header of a Raspberry Pi, simulated, with a matrix of switches");
MODULE_LICENSE("GPL");
