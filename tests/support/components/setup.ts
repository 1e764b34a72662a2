// Imported first, because it fixes the order of the style layers.
import '../../../src/app/styles.css'
import { startOffline } from '#app/start.ts'
import { restoreSession } from '#client/session.ts'
import { watchOutput } from '../quiet.ts'

watchOutput()
// Device previews are off: the engine would take as long as all tests of a file.
Object.assign(WebAssembly, { validate: () => false })
restoreSession()
startOffline()
