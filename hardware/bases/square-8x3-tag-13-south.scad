// square-8x3-tag-13: made by `boardumpire board bases`. Lengths in mm.
// Magnet 8 x 3, its south pole down.
// Tag of 13 mm, above.
$fn = 96;
difference() {
  cylinder(d = 32, h = 10.5);
  // the magnet
  translate([0, 0, -0.1]) cylinder(d = 8.3, h = 3.3);
  // the tag
  translate([7, 0, 9.3]) cylinder(d = 13.3, h = 1.3);
  // south pole down
  translate([-17, -2.1, -0.1]) cube([2.6, 1.2, 10.7]);
  // south pole down
  translate([-17, 0.9, -0.1]) cube([2.6, 1.2, 10.7]);
}
