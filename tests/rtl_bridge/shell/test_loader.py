# SPDX-License-Identifier: Apache-2.0
"""lt_loader: which words it writes, in each order, for images of different lengths."""

import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from tests.patience import PATIENCE

LOADER = Path(__file__).parents[3] / "rtl_bridge" / "sv" / "lt_loader.sv"
WORDS = (3, 1, 4)
"""Of the images, the first one in the low bits."""
LAST_ORDER, ALL = 15, 7
TEXT = """
module bench;
  logic clk = 0, rst = 1, load = 0, fresh = 0, enable, last, loaded;
  logic [3:0] order = 0;
  logic [2:0] skip = 0, select;
  logic [7:0] address, data;
  logic [11:0][7:0] images;
  lt_loader #(.Loads(3), .Depth(4), .DataW(8), .AddrW(8), .SelectW(3)) loader (
    .clk_i(clk), .rst_i(rst), .load_i(load), .renew_i(1'b0), .skip_i(skip), .order_i(order), .ready_i(1'b1),
    .loaded_o(loaded), .last_o(last), .images_i(images), .words_i({16'd4, 16'd1, 16'd3}),
    .selects_i({3'd4, 3'd2, 3'd1}), .enable_o(enable), .select_o(select), .address_o(address), .data_o(data)
  );
  always #5 clk = ~clk;
  always @(posedge clk) if (enable)
    $display("%0d %0d %0d: %0d %0d %0d %0d", order, skip, fresh, select, address, data, last);
  initial begin
    for (int n = 0; n < 12; n++) images[n] = 8'(n);
    for (int n = 0; n < 257; n++) begin
      {order, fresh, skip} = 8'(n - 1);
      rst = fresh;
      repeat (2) @(negedge clk);
      rst = 0;
      load = 1;
      @(negedge clk);
      while (~loaded) @(negedge clk);
      repeat (3) @(negedge clk);
      load = 0;
      @(negedge clk);
    end
    $finish(0);
  end
endmodule
"""


def addresses(order: int, words: int) -> list[int]:
    """Of the words of an image, as the header of lt_loader says."""
    half = words // 2 if order & 2 else 0
    turned = [(word + half) % words for word in range(words)]
    return [words - 1 - word for word in turned] if order & 1 else turned


def writes(order: int, skip: int) -> Iterator[tuple[int, int]]:
    """Image and address of each write."""
    images = [image for image in (reversed(range(3)) if order & 4 else range(3)) if not skip >> image & 1]
    if order & 8:
        for turn in range(max(WORDS)):
            yield from ((image, addresses(order, WORDS[image])[turn]) for image in images if turn < WORDS[image])
    else:
        yield from ((image, address) for image in images for address in addresses(order, WORDS[image]))


def test_words_are_written_once_in_each_order(tmp_path: Path) -> None:
    """Skipped images are written after a reset all the same, and the last word is announced."""
    (tmp_path / "bench.sv").write_text(TEXT)
    model = tmp_path / "bench.vvp"
    command = ["iverilog", "-g2012", "-s", "bench", "-o", str(model), str(LOADER), str(tmp_path / "bench.sv")]
    subprocess.run(command, check=True, timeout=PATIENCE)
    seen = subprocess.run(
        ["vvp", "-n", str(model)], capture_output=True, text=True, check=True, timeout=PATIENCE
    ).stdout
    expected = []
    for order, fresh, skip in product(range(LAST_ORDER + 1), (0, 1), range(ALL + 1)):
        all_writes = list(writes(order, 0 if fresh else skip))
        for number, (image, address) in enumerate(all_writes, start=1):
            data, last = 4 * image + address, int(number == len(all_writes))
            expected.append(f"{order} {skip} {fresh}: {1 << image} {address} {data} {last}")
    first_load = sum(WORDS)
    assert [line for line in seen.splitlines() if ": " in line][first_load:] == expected
