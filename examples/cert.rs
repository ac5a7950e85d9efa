//! scratch
use klondike::{card::Card, deal::Deal, rules::*, table::Table, prune::Lemmas, search::Limits, prove::{self,certify,check}};
use std::sync::Arc;
fn mt(seed:u32)->impl FnMut()->u32 { let mut s=[0u32;624]; s[0]=seed; for i in 1..624 { s[i]=1812433253u32.wrapping_mul(s[i-1]^(s[i-1]>>30)).wrapping_add(i as u32);} let mut idx=624;
 move || { if idx==624 { for i in 0..624 { let y=(s[i]&0x80000000)|(s[(i+1)%624]&0x7fffffff); s[i]=s[(i+397)%624]^(y>>1)^(if y&1==1 {0x9908b0df} else {0}); } idx=0;} let mut y=s[idx]; idx+=1; y^=y>>11; y^=(y<<7)&0x9d2c5680; y^=(y<<15)&0xefc60000; y^=y>>18; y } }
fn solv(n:u32)->Deal { let mut r=mt(n); let mut d:Vec<Card>=vec![]; for k in "A23456789TJQK".chars(){ for s in "CHSD".chars(){ d.push(format!("{k}{s}").parse().unwrap()); } }
 for i in (1..=51u64).rev() { let b=(1u64<<32)/(i+1); let j=loop{ let j=(r() as u64)/b; if j<=i {break j}}; d.swap(i as usize,j as usize);} 
 let stock=d[28..].to_vec(); let mut piles=vec![vec![];7]; let mut k=28; for row in 0..7 { for c in (row..7).rev() { k-=1; piles[c].push(d[k]); } } Deal::new(Deck::FULL,piles,stock).unwrap() }
fn cpu()->f64{std::fs::read_to_string("/proc/thread-self/schedstat").unwrap().split(' ').next().unwrap().parse::<f64>().unwrap()/1e9}
fn main(){ let a:Vec<String>=std::env::args().collect(); let draw:u8=a[1].parse().unwrap(); let from:u32=a[2].parse().unwrap(); let to:u32=a[3].parse().unwrap(); let dir=a.get(4);
 let truth=std::fs::read_to_string("../shared/truth/solvitaire.csv").unwrap();
 let rules=Arc::new(Rules::standard_draw(draw).unwrap());
 let (mut sizes,mut ts,mut tm,mut tc,mut n,mut states,mut f,mut m)=(vec![],0.,0.,0.,0,0u64,0,0); let mut worst=(0.,0);
 for l in truth.lines().skip(1){ let c:Vec<&str>=l.split(',').collect(); let d:u8=c[0].parse().unwrap(); let s:u32=c[1].parse().unwrap(); if d!=draw||s<from||s>to||c[2]!="unwinnable" {continue}
  let t=Table::new(rules.clone(),&solv(s)).unwrap();
  let t0=cpu(); let dec=prove::decide(&t,Lemmas::ALL,&Limits::default()).unwrap(); let e0=(cpu()-t0); states+=dec.stats.states+dec.stats.oracle_states;
  let t0=cpu(); let mut out=vec![]; let k=match certify::certify_loss(&t,&Limits::default(),&mut out){Ok(k)=>k,Err(e)=>{println!("{s}: CERTIFY {e}");continue}}; let e1=(cpu()-t0);
  if let certify::Certified::Closed{draw_one,main}=k {f+=draw_one;m+=main;}
  let t0=cpu(); match check::check(&out[..],&Default::default()) {Ok(v)=>assert!(!v.is_winnable()),Err(e)=>println!("{s}: CHECK {e} {k:?}")} let e2=(cpu()-t0);
  ts+=e0;tm+=e1;tc+=e2;n+=1; sizes.push(out.len()); if e2/e0>4. && e0>0.0005 {println!("{s}: solve {:.2} ms {} states, make {:.2} check {:.2} {k:?} ratio {:.1}",e0*1e3,dec.stats.states+dec.stats.oracle_states,e1*1e3,e2*1e3,e2/e0);} if e2/e0>worst.0 && e0>0.002 {worst=(e2/e0,s)}
  if let Some(dir)=dir { std::fs::write(format!("{dir}/d{draw}-{s}.kc"),&out).unwrap(); } }
 sizes.sort(); println!("draw {draw}: {n} deals, solve {ts:.3}s ({states} states) make {tm:.3}s check {tc:.3}s; F {f} M {m}; sizes median {} p90 {} max {} total {}; worst check/solve {worst:?}",sizes[n/2],sizes[n*9/10],sizes[n-1],sizes.iter().sum::<usize>()); }
