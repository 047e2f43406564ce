// square-6x2: made by `boardumpire make bases`. Lengths in mm.
// Magnet 6 x 2, its north pole down.
$fn = 96;
difference() {
  cylinder(d = 32, h = 6);
  // the magnet
  translate([0, 0, -0.1]) cylinder(d = 6.3, h = 2.3);
  // north pole down
  intersection() { translate([0, 0, 2.1]) cylinder(d = 5.9, h = 0.5); translate([-3.15, 1.68, 0]) cube([6.3, 0.8, 3.6]); }
  // the face
  translate([-11, -0.8, 3.5]) cube([22, 1.6, 2.6]);
}
