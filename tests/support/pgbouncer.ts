import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './server-process.ts'

const program = '/usr/sbin/pgbouncer'

export interface Pooler {
  url: string
  name: string
  pid: number | undefined
  stop(): Promise<void>
}

/**
 * Debian's PgBouncer in transaction mode with few connections, or the database itself without it.
 */
export async function startPooler(databaseUrl: string, connections = 8): Promise<Pooler> {
  if (!existsSync(program)) return { url: databaseUrl, name: 'none', pid: undefined, stop: async () => {} }
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'rupa-pgbouncer-'))
  chmodSync(folder, 0o777)
  const own = await freePort()
  const secret = password ? ` password=${decodeURIComponent(password)}` : ''
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${port || 5432} user=${decodeURIComponent(username)}${secret}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 2000
server_login_retry = 1
`,
  )
  // PgBouncer refuses to run as root.
  const as = process.getuid?.() === 0 ? ['-u', 'nobody'] : [] // language-ok
  const child = spawn(program, [...as, '-q', join(folder, 'pgbouncer.ini')], { stdio: 'ignore' })
  for (let tries = 0; ; tries += 1) {
    const socket = connect(own, '127.0.0.1')
    const [event] = await Promise.race([
      once(socket, 'connect').then(() => ['connect']),
      once(socket, 'error').then(() => ['error']),
    ]).catch(() => ['error'])
    socket.destroy()
    if (event === 'connect') break
    if (tries === 200) throw new Error('PgBouncer does not listen')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    url: `postgres://${username}@127.0.0.1:${own}${pathname}`,
    name: 'PgBouncer',
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
