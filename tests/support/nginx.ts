import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './server-process.ts'

const program = '/usr/sbin/nginx'

export interface Proxy {
  url: string
  name: string
  pid: number | undefined
  stop(): Promise<void>
}

/** Round robin; without Debian's nginx, a few lines do the same. */
export async function startProxy(ports: readonly number[]): Promise<Proxy> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  if (!existsSync(program)) return { url, name: 'a plain proxy', pid: undefined, stop: await plainProxy(port, ports) }
  const folder = mkdtempSync(join(tmpdir(), 'rupa-nginx-'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log crit;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_rlimit_nofile 16384;
events { worker_connections 8000; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  upstream webs {
    ${ports.map((each) => `server 127.0.0.1:${each} max_fails=1 fail_timeout=1s;`).join(' ')}
    keepalive 64;
  }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    client_max_body_size 110m;
    location / {
      proxy_pass http://webs;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_buffering off;
      proxy_request_buffering off;
      proxy_read_timeout 1h;
    }
  }
}
`,
  )
  const child = spawn(program, ['-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  return {
    url,
    name: 'nginx',
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function plainProxy(port: number, ports: readonly number[]): Promise<() => Promise<void>> {
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers, socket } = incoming
    const from = [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean).join(', ')
    turn += 1
    const upstream = request(
      {
        host: '127.0.0.1',
        port: ports[turn % ports.length],
        method,
        path,
        headers: { ...headers, 'x-forwarded-for': from },
      },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
      },
    )
    upstream.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()))
    outgoing.on('close', () => upstream.destroy())
    incoming.pipe(upstream)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
}
