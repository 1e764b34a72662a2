import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { manifest } from './manifest.ts'

const publicFolder = join(import.meta.dirname, '..', '..', '..', '..', 'public')

test('every icon and screenshot has the size it claims', async () => {
  const {
    icons = [],
    screenshots = [],
    shortcuts = [],
  } = manifest([
    { route: '/a', label: { message: 'A' } },
    { route: '/b', label: { message: 'B' } },
  ])
  const pictures = [...icons, ...screenshots, ...shortcuts.flatMap((shortcut) => shortcut.icons ?? [])]
  expect(pictures.length).toBeGreaterThanOrEqual(9)
  for (const { src, sizes } of pictures) {
    const { width, height } = await sharp(join(publicFolder, src)).metadata()
    expect(`${width}x${height}`, src).toBe(sizes)
  }
})
