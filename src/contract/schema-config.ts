import { configure } from 'arktype/config'

// Runs before ArkType is loaded, which would compile its own keywords: a tenth of the server's
// start.
configure({ jitless: true })
