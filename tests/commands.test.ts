import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { copySources } from './support/copy-sources.ts'

const root = join(import.meta.dirname, '..')

function command(name: string, args: string[]) {
  const file = join(root, 'src', 'scripts', `${name}.mjs`)
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test('npm test names its parts when called with an unknown one', () => {
  const { status, stdout, stderr } = command('test', ['--without=browsers'])
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toBe('npm test knows only --without=browser,postgres, --changed and --shard=1/3, not browsers.\n')
})

test('npm run bench names the benches when there is none of that name', () => {
  const { status, stdout, stderr } = command('bench', ['nosuch'])
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^There is no bench called nosuch; there are .*\bhostile\b.*\n$/)
})

test('npm run start:prod installs and builds nothing, and names the command that does', () => {
  const tree = copySources()
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }))
  const start = () =>
    spawnSync(process.execPath, [join(tree, 'src', 'scripts', 'start-prod.mjs')], { encoding: 'utf8' })
  expect(start()).toMatchObject({
    status: 1,
    stdout: '',
    stderr: 'There is no dist/index.html: run npm run build first.\n',
  })
  expect(existsSync(join(tree, 'dist'))).toBe(false)
})

test('npm test first prints its plan; interrupted, it still ends with the counts, fails, and leaves nothing behind', {
  tags: 'soak',
}, async () => {
  const tree = copySources()
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }))
  const temporary = join(tree, 'temporary')
  mkdirSync(temporary)
  const child = spawn(process.execPath, [join(tree, 'src', 'scripts', 'test.mjs')], {
    cwd: tree,
    env: { ...process.env, TMPDIR: temporary, CHROMIUM: '/nonexistent/chromium' },
  })
  let said = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  await vi.waitFor(() => expect(said).toContain('── format, lint and types'), { timeout: 120_000 })
  expect(said).toContain('Browser tests: there is no Chromium')
  expect(said).toContain('none at /nonexistent/chromium')
  expect(said).toMatch(/API tests: the embedded database, and PostgreSQL/)

  child.kill('SIGINT')
  const [code] = await once(child, 'close')
  expect(code).toBe(1)
  expect(said).toMatch(
    /Failed:\n(.*\n)* {2}stopped by SIGINT before everything had run\n(.*\n)*\d+ passed, [1-9]\d* failed, \d+ skipped\n$/,
  )
  expect(readdirSync(temporary)).toEqual([])
})
