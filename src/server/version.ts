import { readFileSync } from 'node:fs'

const about = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }

/** Of this program (semver.org), as package.json has it. */
export const version = about.version
