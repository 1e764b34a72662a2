import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { startServerProcess } from './support/server-process.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const dockerfile = read('Dockerfile')

/** Installed by `npm ci --omit=dev`, without nested folders. */
function productionPackages(): string[] {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { dev?: boolean }> }
  const kept = Object.keys(packages).filter((path) => path && !packages[path]?.dev && existsSync(join(root, path)))
  return kept.filter((path) => !kept.some((other) => path.startsWith(`${other}/`)))
}

test('the Dockerfile passes the linter, copies only existing files, and runs as an unprivileged user', () => {
  const complaints = validate(dockerfile).map(({ message, range }) => `${range.start.line + 1}: ${message}`)
  expect(complaints).toEqual([])
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '))
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(dockerfile.split(/^FROM /m).at(-1)).toMatch(/^USER rupa$/m)
  expect(dockerfile).toMatch(/^HEALTHCHECK /m)
})

test('compose.yaml gives each process only variables that the program reads, and starts one process unless scaled', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, { profiles?: string[]; environment?: Record<string, string>; volumes?: string[] }>
    volumes: Record<string, null>
  }
  const alone = Object.keys(services).filter((name) => !services[name]?.profiles)
  expect(alone).toEqual(['rupa'])
  const running = read('docs/running/variables.md')
  for (const name of ['rupa', 'web', 'worker']) {
    const unknown = Object.keys(services[name]?.environment ?? {}).filter((key) => !running.includes(`\`${key}\``))
    expect(unknown, name).toEqual([])
  }
  const example = read('.env.example')
  const asked = [...read('compose.yaml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name as string)
  expect(asked.filter((name) => !example.includes(`${name}=`) && name !== 'TRUSTED_PROXIES')).toEqual([])
  const named = Object.values(services).flatMap(({ volumes = [] }) =>
    volumes.map((volume) => volume.split(':')[0] ?? ''),
  )
  expect(named.filter((volume) => !volume.startsWith('.') && !(volume in volumes))).toEqual([])
})

test.runIf(process.platform === 'linux')(
  'the program starts for the first time, and edits a picture, with the packages kept in the image',
  async () => {
    // Hard links need the same file system.
    mkdirSync(join(root, 'test-results'), { recursive: true })
    const tree = mkdtempSync(join(root, 'test-results', 'image-'))
    const dataDir = mkdtempSync(join(tmpdir(), 'rupa-image-'))
    onTestFinished(() => {
      for (const folder of [tree, dataDir]) rmSync(folder, { recursive: true, force: true })
    })
    for (const name of ['src', 'locale', 'package.json'])
      cpSync(join(root, name), join(tree, name), { recursive: true })
    expect(spawnSync('cp', ['-al', '--parents', ...productionPackages(), tree], { cwd: root }).status).toBe(0)
    expect(spawnSync('sh', [join(root, 'docs/deploy/prune.sh')], { cwd: tree, encoding: 'utf8' }).stderr).toBe('')

    const server = await startServerProcess({ DATA_DIR: dataDir }, tree)
    try {
      const form = new FormData()
      form.append('picture', new Blob([readFileSync(join(root, 'tests/fixtures/photos/astronaut.jpg'))]), 'foto.jpg')
      const response = await fetch(`${server.url}/api/tools/background-removal/preview`, { method: 'POST', body: form })
      expect([response.status, server.stderr()]).toEqual([200, expect.stringMatching(/^First admin: .*\n$/)])
    } finally {
      await server.end('SIGKILL')
    }
  },
)
