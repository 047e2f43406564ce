// city-6x3: made by `boardumpire board bases`. Lengths in mm.
// Magnet 6 x 3, its south pole down.
$fn = 96;
difference() {
  cylinder(d = 20, h = 7);
  // the magnet
  translate([0, 0, -0.1]) cylinder(d = 6.3, h = 3.3);
  // the face
  translate([-7, -0.8, 4.5]) cube([14, 1.6, 2.6]);
  // south pole down
  translate([-11, -2.1, -0.1]) cube([2.6, 1.2, 7.2]);
  // south pole down
  translate([-11, 0.9, -0.1]) cube([2.6, 1.2, 7.2]);
}
