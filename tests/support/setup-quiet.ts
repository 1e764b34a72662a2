import { watchOutput } from './quiet.ts'

watchOutput()
