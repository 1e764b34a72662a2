import { useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { useMemo } from 'react'
import { encode } from 'uqr'
import { formatRupiah } from '#client/format.ts'
import { saveBlob } from '#client/save-blob.ts'
import { brandName } from '#contract/brand.ts'
import { Button } from '#ui/button.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'

/** Modules of white that scanners need around a code (ISO/IEC 18004). */
const quiet = 4
const pictureWidth = 1080

type Modules = boolean[][]

/** The dark modules of each row, joined where they touch. */
function darkRuns(modules: Modules): { x: number; y: number; length: number }[] {
  return modules.flatMap((row, y) => {
    const runs: { x: number; y: number; length: number }[] = []
    for (const [x, dark] of row.entries()) {
      if (!dark) continue
      const last = runs.at(-1)
      if (last && last.x + last.length === x) last.length += 1
      else runs.push({ x, y, length: 1 })
    }
    return runs
  })
}

/** The code as a picture for the phone's gallery, with whom and how much it pays beneath. */
async function drawPicture(modules: Modules, amount: string): Promise<Blob> {
  const across = modules.length + 2 * quiet
  const scale = Math.max(1, Math.floor(pictureWidth / across))
  const side = across * scale
  const line = Math.round(side / 18)
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side + 3 * line
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser cannot draw')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#000'
  for (const { x, y, length } of darkRuns(modules)) {
    context.fillRect((x + quiet) * scale, (y + quiet) * scale, length * scale, scale)
  }
  context.font = `bold ${line}px system-ui, sans-serif`
  context.textAlign = 'center'
  context.fillText(`${brandName} · ${amount}`, side / 2, side + line)
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is empty'))), 'image/png')
  })
}

/**
 * A code to scan, black on white in every theme, and to keep: who pays on the same phone picks it
 * from the gallery.
 */
export function QrCode({ content, amountIdr, fileName }: { content: string; amountIdr: number; fileName: string }) {
  const { t } = useLingui()
  const modules = useMemo<Modules>(() => encode(content, { ecc: 'M', border: 0 }).data, [content])
  const amount = formatRupiah(amountIdr)
  const across = modules.length + 2 * quiet
  const path = useMemo(
    () =>
      darkRuns(modules)
        .map(({ x, y, length }) => `M${x} ${y}h${length}v1h-${length}z`)
        .join(''),
    [modules],
  )
  const save = async () => {
    try {
      saveBlob(await drawPicture(modules, amount), fileName)
      showSnackbar('success', t`Tersimpan di perangkatmu`)
    } catch {
      showSnackbar('error', t`QR tidak bisa disimpan. Ambil tangkapan layar saja, ya.`)
    }
  }
  return (
    <div className="grid justify-items-center gap-4">
      <svg
        role="img"
        aria-label={t`Kode QR untuk membayar ${amount}`}
        viewBox={`${-quiet} ${-quiet} ${across} ${across}`}
        shapeRendering="crispEdges"
        className="w-full max-w-72 rounded-box border border-line bg-white"
      >
        <path d={path} fill="#000" />
      </svg>
      <p className="font-extrabold text-2xl tabular-nums">{amount}</p>
      <p className="text-center text-sm leading-relaxed">
        {t`Pindai dengan aplikasi bank atau dompet digital apa pun. Membayar di ponsel ini? Simpan QR-nya, lalu pilih gambarnya di menu pindai aplikasimu.`}
      </p>
      <Button variant="soft" icon={<Download aria-hidden className="size-4" />} onClick={() => void save()}>
        {t`Simpan QR`}
      </Button>
    </div>
  )
}
