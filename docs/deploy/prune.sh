#!/bin/sh
# Takes out of node_modules what no running server reads: notes, types, maps, the packages' own
# tests, and the Node that the image has already.
set -eu
cd node_modules
rm -rf node-linux-* .bin/node .cache
find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -iname 'readme*.md' \
  -o -iname 'changelog*.md' -o -name '*.tsbuildinfo' \) -delete
rm -rf pdfkit/.yarn bintrees/test @vladmandic/human/types caniuse-lite/data
# Other builds of the same code than the one that Node loads.
rm -f @vladmandic/human/dist/human.js @vladmandic/human/dist/tfjs.esm.js pdfkit/js/pdfkit.standalone.js
