/**
 * Collecting garbage is a third of the compiler's work, and saves it little memory: it begins only
 * where much has gathered.
 */
const extra = { GOGC: 'off', GOMEMLIMIT: '3GiB' }

export const staticChecks = [
  { name: 'format and lint', command: 'biome', args: ['check', '--error-on-warnings', '--max-diagnostics=50', '.'] },
  { name: 'types', command: 'tsc', args: ['--noEmit'], extra },
  { name: 'types of the service worker', command: 'tsc', args: ['--noEmit', '-p', 'sw'], extra },
]
