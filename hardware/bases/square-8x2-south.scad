// square-8x2: made by `boardumpire make bases`. Lengths in mm.
// Magnet 8 x 2, its south pole down.
$fn = 96;
difference() {
  cylinder(d = 32, h = 6);
  // the magnet
  translate([0, 0, -0.1]) cylinder(d = 8.3, h = 2.3);
  // south pole down
  intersection() { translate([0, 0, 2.1]) cylinder(d = 7.9, h = 0.5); translate([-4.15, 2.34, 0]) cube([8.3, 0.8, 3.6]); }
  // south pole down
  intersection() { translate([0, 0, 2.1]) cylinder(d = 7.9, h = 0.5); translate([-4.15, -3.14, 0]) cube([8.3, 0.8, 3.6]); }
  // the face
  translate([-11, -0.8, 3.5]) cube([22, 1.6, 2.6]);
}
