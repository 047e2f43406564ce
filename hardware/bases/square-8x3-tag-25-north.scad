// square-8x3-tag-25: made by `boardumpire board bases`. Lengths in mm.
// Magnet 8 x 3, its north pole down.
// Tag of 25 mm, above.
$fn = 96;
difference() {
  cylinder(d = 40, h = 10.5);
  // the magnet
  translate([0, 0, -0.1]) cylinder(d = 8.3, h = 3.3);
  // the tag
  translate([5, 0, 9.3]) cylinder(d = 25.3, h = 1.3);
  // north pole down
  translate([-21, -0.6, -0.1]) cube([2.6, 1.2, 10.7]);
}
