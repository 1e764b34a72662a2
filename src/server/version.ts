import { readFileSync } from 'node:fs'

const about = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }

/** Version of this program (semver.org), from package.json. */
export const version = about.version
