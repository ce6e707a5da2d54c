//! Memory of tables of hundreds of megabytes with random access: the one place with unsafe code.
//!
//! Translating the address of a page takes longer than reading it. Linux uses pages of 2 MiB if it is asked to before
//! the memory is first written. And code that knows what it will read next prefetches all of it before it waits for
//! any.

/// Reserves room for this many elements in an empty vector, in large pages if possible; false if there is not enough
/// memory.
pub fn reserve_large<T>(vector: &mut Vec<T>, count: usize) -> bool {
    if vector.try_reserve_exact(count).is_err() {
        return false;
    }
    #[cfg(target_os = "linux")]
    advise(vector.spare_capacity_mut());
    true
}

/// Asks for large pages. The content of the memory does not change.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the system call takes an address")]
fn advise<T>(memory: &mut [std::mem::MaybeUninit<T>]) {
    use rustix::mm::{Advice, madvise};
    const PAGE: usize = 2 << 20;
    let begin = memory.as_mut_ptr().cast::<u8>();
    let skipped = begin.align_offset(PAGE);
    let Some(rest) = size_of_val(memory).checked_sub(skipped) else {
        return;
    };
    let whole = rest - rest % PAGE;
    if whole != 0 {
        // SAFETY: the bytes from `skipped` on, `whole` of them, are part of `memory`, which has no other reference; the
        // advice says how to map pages and changes no byte of them. If it is refused, pages stay small.
        let _ = unsafe { madvise(begin.add(skipped).cast(), whole, Advice::LinuxHugepage) };
    }
}

/// Prefetches a place of a table that will be read soon; a place beyond its end has no effect.
#[inline(always)]
pub fn prefetch<T>(table: &[T], place: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // The place is not checked against the table's length: that would take longer than the prefetch.
        let address = table.as_ptr().wrapping_add(place).cast();
        #[expect(unsafe_code, reason = "the instruction takes an address")]
        // SAFETY: a hint: the instruction reads nothing that a program sees and traps for no address, mapped or not.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(address);
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (table, place);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_place_may_be_asked_for() {
        let table = [1_u64, 2, 3];
        for place in [0, 2, 3, 1 << 40, usize::MAX] {
            prefetch(&table, place);
            prefetch::<u8>(&[], place);
        }
        assert_eq!(table, [1, 2, 3]);
    }

    #[test]
    fn memory_is_what_was_written_to_it_however_large() {
        for count in [0, 1, 1000, 1 << 19, (9 << 20) / 4 + 3] {
            let mut numbers: Vec<u32> = Vec::new();
            assert!(reserve_large(&mut numbers, count) && count <= numbers.capacity());
            numbers.extend(0..count as u32);
            assert!(
                numbers
                    .iter()
                    .enumerate()
                    .all(|(place, &number)| place as u32 == number)
            );
        }
        assert!(!reserve_large(&mut Vec::<u64>::new(), usize::MAX / 8));
        assert!(!reserve_large(
            &mut Vec::<u8>::new(),
            isize::MAX as usize - (1 << 40)
        ));
    }
}
