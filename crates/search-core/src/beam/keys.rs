//! The keys of the states of a search, each with a number.

/// A hash table from keys to numbers with open addressing. Each slot has an age, so clearing costs nothing.
#[derive(Default)]
pub(super) struct Keys {
    slots: Vec<(u64, i64, u32)>,
    used: usize,
    age: u32,
}

impl Keys {
    pub fn clear(&mut self) {
        self.used = 0;
        self.age = self.age.wrapping_add(1);
        if self.age == 0 {
            // Age 0 marks slots that were never used.
            self.slots.clear();
            self.age = 1;
        }
    }

    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        // Fibonacci hashing: the high bits of the product are well mixed.
        let mut at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize & mask;
        while self.slots[at].2 == self.age && self.slots[at].0 != key {
            at = (at + 1) & mask;
        }
        at
    }

    pub fn get(&self, key: u64) -> Option<i64> {
        if self.slots.is_empty() {
            return None;
        }
        let (_, value, age) = self.slots[self.slot(key)];
        (age == self.age).then_some(value)
    }

    /// Returns the number of `key`; if it has none, stores `value` and returns that.
    pub fn insert_or_get(&mut self, key: u64, value: i64) -> i64 {
        if self.used * 2 >= self.slots.len() {
            self.grow();
        }
        let at = self.slot(key);
        if self.slots[at].2 == self.age {
            return self.slots[at].1;
        }
        self.slots[at] = (key, value, self.age);
        self.used += 1;
        value
    }

    /// Raises the number of `key` to at least `value`.
    pub fn raise(&mut self, key: u64, value: i64) {
        if self.insert_or_get(key, value) < value {
            let at = self.slot(key);
            self.slots[at].1 = value;
        }
    }

    fn grow(&mut self) {
        self.age = self.age.max(1);
        let size = (self.slots.len() * 2).max(1024);
        let old = std::mem::replace(&mut self.slots, vec![(0, 0, 0); size]);
        for (key, value, age) in old {
            if age == self.age {
                let at = self.slot(key);
                self.slots[at] = (key, value, age);
            }
        }
    }
}
