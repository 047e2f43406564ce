// square-10x3: made by `boardumpire make bases`. Lengths in mm.
// Magnet 10 x 3, its south pole down.
$fn = 96;
difference() {
  cylinder(d = 32, h = 7);
  // the magnet
  translate([0, 0, -0.1]) cylinder(d = 10.3, h = 3.3);
  // south pole down
  intersection() { translate([0, 0, 3.1]) cylinder(d = 9.9, h = 0.5); translate([-5.15, 3, 0]) cube([10.3, 0.8, 4.6]); }
  // south pole down
  intersection() { translate([0, 0, 3.1]) cylinder(d = 9.9, h = 0.5); translate([-5.15, -3.8, 0]) cube([10.3, 0.8, 4.6]); }
  // the face
  translate([-11, -0.8, 4.5]) cube([22, 1.6, 2.6]);
}
