package chain
const goldenEvents0, goldenHash0, goldenEvents1, goldenHash1, goldenEvents2, goldenHash2 = 0,0,0,0,0,0
