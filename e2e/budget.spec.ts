import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { test } from './support/app.ts'

interface Chunk {
  file: string
  isEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
}

const dist = join(import.meta.dirname, '..', 'dist')
const chunks: Record<string, Chunk> = JSON.parse(readFileSync(join(dist, 'vite-manifest.json'), 'utf8'))
const entry = Object.keys(chunks).find((key) => chunks[key]?.isEntry) as string

/** Incompressible files are sent unchanged. */
function bytesSent(file: string): number {
  const compressed = join(dist, `${file}.br`)
  return statSync(existsSync(compressed) ? compressed : join(dist, file)).size
}

const kilobytes = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + bytesSent(file), 0) / 1024

/** All static imports are needed before the chunk runs. */
function closure(key: string, found = new Set<string>()): Set<string> {
  if (found.has(key)) return found
  found.add(key)
  for (const next of chunks[key]?.imports ?? []) closure(next, found)
  return found
}

const scripts = (keys: Iterable<string>) => [...keys].map((key) => (chunks[key] as Chunk).file)
const initial = closure(entry)

/** The entry loads the language and the first page, so both count as initial. */
function firstPage(): Set<string> {
  const home = Object.keys(chunks).find((key) => /features\/site\/app\/first-screen\/home/i.test(key))
  return home ? closure(home, new Set(initial)) : initial
}

function routeKeys(): string[] {
  const lazy = (keys: Iterable<string>) => [...keys].flatMap((key) => chunks[key]?.dynamicImports ?? [])
  const found = lazy(initial)
  const staff = found.filter((key) => key.endsWith('/admin-screens.tsx'))
  return [...new Set([...found, ...lazy(staff)])].filter((key) =>
    /^src\/(features\/.*\/app\/.*|app\/[^/]+-screen)\.tsx$/.test(key),
  )
}

test('the build stays within its budgets', async () => {
  await test.step('the first page and a tool page need at most 120 KB of JavaScript, and the first 20 KB of styles', () => {
    const keys = firstPage()
    const size = kilobytes(new Set(scripts(keys)))
    expect(size).toBeGreaterThan(20)
    expect(size).toBeLessThanOrEqual(120)
    const styles = new Set([...keys].flatMap((key) => chunks[key]?.css ?? []))
    expect(kilobytes(styles)).toBeLessThanOrEqual(20)
    // A tool's page, beside its texts.
    const studio = Object.keys(chunks).find((key) => key.endsWith('/studio/studio-page.tsx')) as string
    expect(kilobytes(new Set(scripts(closure(studio, new Set(initial)))))).toBeLessThanOrEqual(120)
  })
  await test.step('before the first tap of a first visit, the first page needs 160 KB and a tool’s page 178', () => {
    const bytesBeforeTap = (name: string) => {
      const document = readFileSync(join(dist, 'prerendered', name), 'utf8')
      const isNeeded = (tag: string) => !/ (?:disabled|loading="lazy"|media="not all"|rel="(?:icon|apple))/.test(tag)
      const files = [...document.matchAll(/<[a-z][^>]* (?:src|href)="\/([\w./-]+\.(?:js|css|avif|webp))"[^>]*>/g)]
        .filter(([tag]) => isNeeded(tag))
        .map(([, file]) => file as string)
      return kilobytes(new Set([`prerendered/${name}`, ...files]))
    }
    expect(bytesBeforeTap('home.html')).toBeGreaterThan(100)
    for (const folder of ['', 'en/']) {
      expect(bytesBeforeTap(`${folder}home.html`)).toBeLessThanOrEqual(160)
      expect(bytesBeforeTap(`${folder}ai-background-removal.html`)).toBeLessThanOrEqual(178)
    }
  })
  await test.step('a member’s home needs at most 46 KB of JavaScript beside the app, in 17 files', () => {
    const member = Object.keys(chunks).find((key) => key.endsWith('/member-screen.tsx')) as string
    const own = [...closure(member)].filter((key) => !initial.has(key))
    expect(kilobytes(new Set(scripts(own)))).toBeLessThanOrEqual(46)
    expect(own.length).toBeLessThanOrEqual(17)
  })
  await test.step('every route loads at most 38 KB of its own in 22 files, and what at least half of them share is small', () => {
    const routes = routeKeys()
    expect(routes.length).toBeGreaterThan(20)
    const loads = routes.map((route) => [...closure(route)].filter((key) => !initial.has(key)))
    const shared = new Set(
      loads.flat().filter((key) => loads.filter((keys) => keys.includes(key)).length >= routes.length / 2),
    )
    expect(kilobytes(new Set(scripts(shared)))).toBeLessThanOrEqual(12)
    for (const [index, route] of routes.entries()) {
      const own = loads[index]?.filter((key) => !shared.has(key)) ?? []
      expect(kilobytes(new Set(scripts(own))), route).toBeLessThanOrEqual(38)
      expect(loads[index]?.length, route).toBeLessThanOrEqual(22)
    }
  })
  await test.step('the engine for previews is three files of at most 600 KB and a network of 2.2 MB apart, of which no screen needs any', () => {
    const files = readdirSync(join(dist, 'assets', 'engine')).filter((name) => !name.endsWith('.br'))
    expect(files.map((name) => name.split('.').at(-1)).sort()).toEqual(['bin', 'js', 'tflite', 'wasm'])
    const sizeOf = (names: string[]) => kilobytes(names.map((name) => join('assets', 'engine', name)))
    expect(sizeOf(files.filter((name) => !name.endsWith('.bin')))).toBeLessThanOrEqual(600)
    expect(sizeOf(files.filter((name) => name.endsWith('.bin')))).toBeLessThanOrEqual(2200)
    const worker = readFileSync(join(dist, 'sw.js'), 'utf8')
    const known = [...worker.matchAll(/assets\/engine\/([\w.-]+)/g)].map(([, name]) => name)
    expect(known.sort()).toEqual(files.sort())
    for (const key of Object.keys(chunks)) {
      expect([...closure(key)].filter((part) => chunks[part]?.file.startsWith('assets/engine/'))).toEqual([])
    }
  })
  await test.step('no screen carries the schema library or the engine', () => {
    for (const chunk of Object.values(chunks).filter(({ file }) => file.endsWith('.js'))) {
      const code = readFileSync(join(dist, chunk.file), 'utf8')
      expect(code, chunk.file).not.toContain('ArkErrors')
      expect(code, chunk.file).not.toContain('selfie_segmentation')
    }
  })
  await test.step('a first visit is ready for offline within 20 seconds at 400 kbit/s and 400 ms', () => {
    const worker = readFileSync(join(dist, 'sw.js'), 'utf8')
    const listed = new Set(worker.match(/assets\/[\w./-]+\.(?:js|css|woff2)|index\.html|(?:theme|early)\.js/g))
    const packed = Object.keys(JSON.parse(readFileSync(join(dist, 'offline-pack.json'), 'utf8')))
    expect(packed.length).toBeGreaterThan(50)
    expect(packed.filter((path) => !listed.has(path.slice(1)))).toEqual([])
    // The engine is cached separately; staff screens are not cached.
    expect(packed.filter((path) => /^\/assets\/(engine\/|admin|chart-)/.test(path))).toEqual([])
    const single = [...listed].filter((file) => !packed.includes(`/${file}`))
    const first = [...firstPage()].flatMap((key) => [chunks[key]?.file ?? '', ...(chunks[key]?.css ?? [])])
    const files = new Set(['prerendered/home.html', 'sw.js', 'offline-pack.json', ...single, ...first])
    // Headers take about a kilobyte. The page loads six files at once, the worker one after the
    // other.
    const rounds = Math.ceil(first.length / 6) + single.filter((file) => !first.includes(file)).length + 3
    const seconds = ((kilobytes(files) + files.size) * 8 * 1.024) / 400 + rounds * 0.4
    expect(seconds).toBeLessThanOrEqual(20)
  })
})
