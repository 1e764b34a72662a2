import { configure } from 'arktype/config'

// Must run before ArkType loads and compiles its keywords, a tenth of the server's start.
configure({ jitless: true })
