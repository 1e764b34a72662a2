import { sqlState } from './sql-state.ts'

/** The files of the embedded database cannot be read. */
export class DamagedDatabase extends Error {
  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    // PGlite's own message ends with the name of a compiler flag.
    const [first] = reason.replace(/\.? Build with .*/s, '').split('\n')
    super(
      `DATA_DIR/database cannot be opened (${first}): it is damaged, or its disk is full; ` +
        'npm run restore brings back a backup and keeps the damaged folder aside',
      { cause },
    )
    this.name = 'DamagedDatabase'
  }
}

/** Data corrupted, index corrupted, a file missing, an I/O error. */
const damageStates = new Set(['XX001', 'XX002', '58P01', '58030'])

/** Returns a DamagedDatabase for an error that damage explains, otherwise the error itself. */
export function nameDamage(error: unknown): unknown {
  return damageStates.has(sqlState(error) ?? '') ? new DamagedDatabase(innermost(error)) : error
}

/** Drizzle's own message repeats the query. */
function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? innermost(error.cause) : error
}
