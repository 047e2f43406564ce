// square-8x3-tag-25: made by `boardumpire make bases`. Lengths in mm.
// Magnet 8 x 3, its north pole down.
// Tag of 25 mm, above.
$fn = 96;
difference() {
  cylinder(d = 40, h = 10.5);
  // the magnet
  translate([0, 0, -0.1]) cylinder(d = 8.3, h = 3.3);
  // north pole down
  intersection() { translate([0, 0, 3.1]) cylinder(d = 7.9, h = 0.5); translate([-4.15, 2.34, 0]) cube([8.3, 0.8, 4.6]); }
  // the tag
  translate([5, 0, 9.3]) cylinder(d = 25.3, h = 1.3);
}
