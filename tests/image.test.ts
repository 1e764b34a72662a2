import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const dockerfile = read('Dockerfile')

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
