use super::*;

const MILLION: u64 = 1_000_000;

fn heap(object_bytes: u64, page_bytes: u64) -> Heap {
    Heap { objects: MILLION, object_bytes, page_bytes }
}

#[test]
fn a_million_objects_of_32_bytes_cost_what_the_drill_measured() {
    let heap = heap(32, 4096);
    let all_kib = heap.written_in_order(1.0) * 4.0;
    assert_eq!(all_kib, 31_252.0);
    assert_eq!(heap.written_at_random(1.0) * 4.0, 31_252.0);
    // The drill counted the pages of one draw, 22,540 kB, and measured 22,544.
    let one_percent_kib = heap.written_at_random(0.01) * 4.0;
    assert!((one_percent_kib / 22_540.0 - 1.0).abs() < 0.005, "{one_percent_kib}");
}

#[test]
fn a_draw_of_single_objects_agrees_with_the_formula() {
    for (heap, share) in [
        (heap(32, 4096), 0.01),
        (heap(160, 4096), 0.01),
        (heap(160, 16_384), 0.002),
        (heap(1024, 4096), 0.1),
        (heap(16_384, 4096), 0.05),
    ] {
        let touched = |page: &u64| heap.headers_on(*page).any(|object| moment(3, object) < share);
        let counted = (0..heap.pages()).filter(touched).count() as f64;
        let expected = heap.written_at_random(share);
        // Four standard deviations of independent pages, at most.
        assert!((counted - expected).abs() < 4.0 * expected.sqrt(), "{heap:?}: {counted}, {expected}");
    }
}

#[test]
fn large_pages_end_the_sharing_at_once() {
    let q = |page| heap(160, page).written_at_random(0.01) / heap(160, page).pages() as f64;
    assert_eq!((q(4096) * 100.0).round(), 23.0);
    assert_eq!((q(65_536) * 100.0).round(), 98.0);
    assert_eq!(heap(160, 4096).pages(), 39_063);
}

#[test]
fn each_header_is_on_one_page() {
    for heap in [heap(32, 4096), heap(160, 4096), heap(160, 65_536), heap(16_384, 4096)] {
        let mut next = 0;
        for page in 0..heap.pages() {
            let headers = heap.headers_on(page);
            assert_eq!(headers.start, next);
            for object in headers.clone() {
                let offset = object * heap.object_bytes - page * heap.page_bytes;
                assert!(offset + HEADER_BYTES <= heap.page_bytes);
            }
            next = headers.end;
        }
        assert_eq!(next, MILLION);
    }
}

#[test]
fn pss_adds_up_to_the_frames_and_is_between_uss_and_rss() {
    for spread in [Spread::Independent, Spread::Same] {
        for workers in [1, 2, 4, 8] {
            for step in 0..=20 {
                let q = f64::from(step) / 20.0;
                let books = Books::new(1e9, q * 1e9, 8e6, workers, spread);
                let frames = 1e9 * (1.0 + f64::from(workers) * q) + 8e6;
                assert!((books.in_use() - frames).abs() < 1.0);
                for a in [books.parent, books.worker] {
                    assert!(a.uss <= a.pss + 1.0 && a.pss <= a.rss + 1.0, "{workers} {q}: {a:?}");
                }
            }
        }
    }
}

#[test]
fn means_over_sharers_agree_with_counting() {
    // 200,000 pages, three workers, each with its own coin.
    let (pages, workers, q) = (200_000u64, 3u64, 0.3);
    let (mut parent, mut worker, mut alone) = (0.0, 0.0, 0.0);
    for page in 0..pages {
        let copied: Vec<bool> = (0..workers).map(|w| moment(w, page) < q).collect();
        let maps = 1.0 + copied.iter().filter(|c| !**c).count() as f64;
        parent += 1.0 / maps;
        worker += if copied[0] { 1.0 } else { 1.0 / maps };
        alone += f64::from(u8::from(maps == 1.0));
    }
    let n = pages as f64;
    let books = Books::new(n, q * n, 0.0, 3, Spread::Independent);
    for (counted, expected) in
        [(parent, books.parent.pss), (worker, books.worker.pss), (alone, books.parent.uss)]
    {
        assert!((counted - expected).abs() < 0.005 * n, "{counted} {expected}");
    }
}

#[test]
fn four_workers_of_the_published_run() {
    // 379 MiB copied by each of four, RSS unchanged: 1,516 MiB more in use.
    let mib = 1_048_576.0;
    let before = Books::new(379.0 * mib, 0.0, 0.0, 4, Spread::Same);
    let after = Books::new(379.0 * mib, 379.0 * mib, 0.0, 4, Spread::Same);
    assert_eq!(before.rss_sum(), after.rss_sum());
    assert_eq!(((after.in_use() - before.in_use()) / mib).round(), 1_516.0);
    assert_eq!(((after.worker.uss - before.worker.uss) / mib).round(), 379.0);
}
