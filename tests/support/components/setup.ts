import './quick-react.ts'
// Imported first, because it fixes the order of the style layers.
import '../../../src/app/styles.css'
import font from '@fontsource-variable/plus-jakarta-sans/files/plus-jakarta-sans-latin-wght-normal.woff2?url'
import * as React from 'react'
import { startOffline } from '#app/start.ts'
import { storageTimeouts } from '#client/device/device-store.ts'
import { restoreSession } from '#client/session.ts'
import { watchOutput } from '../quiet.ts'

watchOutput()
const face = new FontFace('Plus Jakarta Sans', `url(${font})`, { weight: '200 800' })
document.fonts.add(face)
await face.load()
// Device previews are off: the engine would take as long as all tests of a file.
Object.assign(WebAssembly, { validate: () => false })
// Under load a write may take longer, and the app would keep its uploads in memory from then on.
Object.assign(storageTimeouts, { readonly: 100_000, readwrite: 100_000 })
restoreSession()
startOffline()

const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals = {} } = React as unknown as Record<
  string,
  object
>
/**
 * React's development build takes a stack trace and a task for each element that it creates, until
 * this count is reached. They are a tenth of a page's time, and no test reads them.
 */
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set: () => undefined })

/** Canvases are encoded between two frames; a page that draws none waits for a second. */
function drawFrames(): () => void {
  let drawing = true
  const draw = () => {
    if (drawing) requestAnimationFrame(draw)
  }
  draw()
  return () => {
    drawing = false
  }
}

const { toBlob } = HTMLCanvasElement.prototype
HTMLCanvasElement.prototype.toBlob = function (this: HTMLCanvasElement, onBlob, ...encoding) {
  const stop = drawFrames()
  const finish: BlobCallback = (blob) => {
    stop()
    onBlob(blob)
  }
  toBlob.call(this, finish, ...encoding)
}
const { convertToBlob } = OffscreenCanvas.prototype
OffscreenCanvas.prototype.convertToBlob = function (this: OffscreenCanvas, encoding) {
  return convertToBlob.call(this, encoding).finally(drawFrames())
}
