import { useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { formatRupiah } from '#client/format.ts'
import { saveBlob } from '#client/save-blob.ts'
import { brandName } from '#shared/brand.ts'
import { Button } from '#ui/button.tsx'
import { QrSvg, qrModules, quietZone } from '#ui/qr-svg.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { isCancelled } from '#ui/use-action.ts'

const pictureWidth = 1080

/** A picture for the gallery, with recipient and amount below the code. */
async function drawPicture(content: string, amount: string): Promise<Blob> {
  const modules = qrModules(content)
  const across = modules.length + 2 * quietZone
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
  for (const [y, row] of modules.entries()) {
    for (const [x, dark] of row.entries()) {
      if (dark) context.fillRect((x + quietZone) * scale, (y + quietZone) * scale, scale, scale)
    }
  }
  context.font = `bold ${line}px system-ui, sans-serif`
  context.textAlign = 'center'
  context.fillText(`${brandName} · ${amount}`, side / 2, side + line)
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is empty'))), 'image/png')
  })
}

/** A buyer on the same phone saves the code and picks it from the gallery. */
export function QrCode({ content, amountIdr, fileName }: { content: string; amountIdr: number; fileName: string }) {
  const { t } = useLingui()
  const amount = formatRupiah(amountIdr)
  const save = async () => {
    try {
      await saveBlob(await drawPicture(content, amount), fileName)
      showSnackbar('success', t`Tersimpan di perangkatmu`)
    } catch (error) {
      if (isCancelled(error)) return
      showSnackbar('error', t`QR tidak bisa disimpan. Ambil tangkapan layar saja, ya.`)
    }
  }
  return (
    <div className="grid grid-cols-1 justify-items-center gap-4">
      <QrSvg content={content} label={t`Kode QR untuk membayar ${amount}`} />
      <p className="font-extrabold text-[min(1.5rem,9vw)] tabular-nums">{amount}</p>
      <p className="text-center text-sm leading-relaxed">
        {t`Pindai dengan aplikasi bank atau dompet digital apa pun. Membayar di HP ini? Simpan QR-nya, lalu pilih gambarnya di menu pindai aplikasimu.`}
      </p>
      <Button variant="soft" icon={Download} onClick={() => void save()}>
        {t`Simpan QR`}
      </Button>
    </div>
  )
}
