import { recordUnexpectedOutput, watchOutput } from './quiet.ts'

process.on('warning', (warning) => recordUnexpectedOutput(`process warning: ${warning.message}`))
watchOutput()
