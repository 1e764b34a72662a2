// A throw-away PostgreSQL for the tests that must pass on both databases.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installDebian } from './ensure.mjs'

const oldest = 15

function findPrograms() {
  const folders = existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql')
        .map(Number)
        .filter((version) => version >= oldest)
        .sort((a, b) => a - b)
        .map((version) => `/usr/lib/postgresql/${version}/bin`)
    : []
  return [...folders, '/usr/local/bin', '/opt/homebrew/bin'].find(
    (folder) => existsSync(join(folder, 'initdb')) && versionOf(folder) >= oldest,
  )
}

function versionOf(folder) {
  const said = spawnSync(join(folder, 'initdb'), ['--version'], { encoding: 'utf8' }).stdout ?? ''
  return Number(/(\d+)/.exec(said.replace(/^[^)]*\)/, ''))?.[1] ?? 0)
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

/** Starts a server in a temporary folder; null where PostgreSQL can neither be found nor installed. */
export async function startPostgres() {
  const programs = findPrograms() ?? (installDebian('postgresql') ? findPrograms() : undefined)
  if (!programs) return null
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? (identity('postgres') ?? identity('nobody')) : undefined
  const folder = mkdtempSync(join(tmpdir(), 'rupa-postgres-'))
  if (owner) {
    chownSync(folder, owner.uid, owner.gid)
    chmodSync(folder, 0o700)
  }
  const port = await freePort()
  const as = { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, LC_ALL: 'C.UTF-8' } }
  execFileSync(
    join(programs, 'initdb'),
    ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'],
    as,
  )
  const settings = `-p ${port} -h 127.0.0.1 -k ${folder} -c max_connections=300`
  execFileSync(
    join(programs, 'pg_ctl'),
    ['-D', join(folder, 'data'), '-w', '-l', join(folder, 'log'), '-o', settings, 'start'],
    { ...as, stdio: 'ignore' },
  )
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    programs,
    stop() {
      spawnSync(join(programs, 'pg_ctl'), ['-D', join(folder, 'data'), '-m', 'immediate', 'stop'], {
        ...as,
        stdio: 'ignore',
      })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function identity(user) {
  const ask = (flag) => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout)
  const uid = ask('-u')
  return uid > 0 ? { uid, gid: ask('-g') } : undefined
}
