// pawn-6x3: made by `boardumpire make bases`. Lengths in mm.
// Magnet 6 x 3, its north pole down.
$fn = 96;
difference() {
  cylinder(d = 15, h = 7);
  // the magnet
  translate([0, 0, -0.1]) cylinder(d = 6.3, h = 3.3);
  // north pole down
  intersection() { translate([0, 0, 3.1]) cylinder(d = 5.9, h = 0.5); translate([-3.15, 1.68, 0]) cube([6.3, 0.8, 4.6]); }
  // the face
  translate([-5, -0.8, 4.5]) cube([10, 1.6, 2.6]);
}
