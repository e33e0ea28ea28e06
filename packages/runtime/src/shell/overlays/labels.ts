/** Texts of the overlays. */
export interface OverlayLabels {
  ok: string
  cancel: string
  close: string
  /** Accessible name of a dialog without a title. */
  choose: string
  previous: string
  next: string
  image: string
}

const labels: Record<string, OverlayLabels> = {
  en: {
    ok: 'OK',
    cancel: 'Cancel',
    close: 'Close',
    choose: 'Choose',
    previous: 'Previous',
    next: 'Next',
    image: 'Image',
  },
  zh: {
    ok: '确定',
    cancel: '取消',
    close: '关闭',
    choose: '请选择',
    previous: '上一张',
    next: '下一张',
    image: '图片',
  },
  ar: {
    ok: 'حسنًا',
    cancel: 'إلغاء',
    close: 'إغلاق',
    choose: 'اختر',
    previous: 'السابق',
    next: 'التالي',
    image: 'صورة',
  },
}

/** Returns the labels for a BCP 47 language; English if there is no translation. */
export function overlayLabelsFor(language: string): OverlayLabels {
  return labels[language.slice(0, 2).toLowerCase()] ?? labels.en!
}
