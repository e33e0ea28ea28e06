/** Names of the categories of mini apps. */
export default {
  food: '餐饮',
  shopping: '购物',
  travel: '出行',
  finance: '金融',
  health: '健康',
  education: '教育',
  entertainment: '娱乐',
  lifestyle: '生活',
  business: '商务',
  government: '政务',
  tools: '工具',
}
