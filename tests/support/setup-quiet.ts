import { complain, watchOutput } from './quiet.ts'

process.on('warning', (warning) => complain(`process warning: ${warning.message}`))
watchOutput()
