import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createFileChecker } from './finish-upload.ts'

test('many files of one owner delay the file of another by only one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rupa-file-checker-'))
  const source = join(folder, 'picture')
  writeFileSync(
    source,
    await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  )
  const fileChecker = createFileChecker()
  const order: string[] = []
  const check = async (owner: string, index: number) => {
    await fileChecker.check({ source, draft: join(folder, `${owner}-${index}`) }, owner)
    order.push(owner)
  }
  const work = Array.from({ length: 6 }, (_, index) => check('many', index))
  await Promise.all([...work, check('one', 0), check('other', 0)])
  // The first of the many was started before the others arrived.
  expect(order).toEqual(['many', 'one', 'other', ...Array(5).fill('many')])
})

test('a file deleted before its turn is reported as gone, not as a server error', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rupa-file-checker-'))
  const task = { source: join(folder, 'none'), draft: join(folder, 'draft') }
  await expect(createFileChecker().check(task, 'one')).rejects.toMatchObject({ code: 'file.not_found' })
})
