/** Names of the categories of mini apps. */
export default {
  food: 'طعام وشراب',
  shopping: 'تسوّق',
  travel: 'سفر',
  finance: 'مال',
  health: 'صحة',
  education: 'تعليم',
  entertainment: 'ترفيه',
  lifestyle: 'أسلوب حياة',
  business: 'أعمال',
  government: 'حكومة',
  tools: 'أدوات',
}
