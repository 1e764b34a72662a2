// Imported first, because it fixes the order of the style layers.
import '../../../src/app/styles.css'
import font from '@fontsource-variable/plus-jakarta-sans/files/plus-jakarta-sans-latin-wght-normal.woff2?url'
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

/** A canvas is encoded between two frames; a page that draws none waits for a second. */
const drawFrames = () => requestAnimationFrame(drawFrames)
drawFrames()
