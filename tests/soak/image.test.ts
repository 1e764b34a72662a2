import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startServerProcess } from '../support/server-process.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Folders of what `npm ci --omit=dev` installs, but for those inside of another one. */
function productionPackages(): string[] {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { dev?: boolean }> }
  const kept = Object.keys(packages).filter((path) => path && !packages[path]?.dev && existsSync(join(root, path)))
  return kept.filter((path) => !kept.some((other) => path.startsWith(`${other}/`)))
}

test.runIf(process.platform === 'linux' && !process.env.TEST_DATABASE_URL)(
  'the program starts for the first time, and edits a picture, with the packages kept in the image',
  async () => {
    // Hard links cost no space, but only within one file system.
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
